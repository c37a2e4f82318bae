"""What the words after `applies:` mean: for each text of the catalogue, a question to the subject.

A condition returns when the rule applies. It raises `NotApplicable` when the contract exempts the subject, and
`NotTested` when the harness cannot tell because it has no control over the subject.
"""

from portproof.conditions.words import Condition, Words, always, condition_of, when

__all__ = ["Condition", "Words", "always", "condition_of", "when"]
