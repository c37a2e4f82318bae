"""agentports' plan store on a database of your own: any that replaces a document if nobody else did meanwhile."""

import asyncio
import sqlite3
import threading
from dataclasses import asdict

from agentports.plans import decode, encode
from agentports.plans.stores import BackedPlanStore, PlanRow


class Documents:
    """The database: one table of SQLite stands in for yours, which has a get and a conditional put of its own."""

    def __init__(self, path):
        self.connection = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
        self.connection.execute("PRAGMA synchronous = FULL")  # what is acknowledged is on the disk
        self.connection.execute("CREATE TABLE IF NOT EXISTS documents (id TEXT PRIMARY KEY, version INT, body BLOB)")

    def get(self, key):
        found = self.connection.execute("SELECT version, body FROM documents WHERE id = ?", [key])
        return found.fetchone() or (0, None)

    def put(self, key, version, body):
        """Whether the document still had this version (0: was not there), and so has the new body."""
        insert = "INSERT INTO documents VALUES (?3, 1, ?1) ON CONFLICT DO NOTHING"
        update = "UPDATE documents SET version = version + 1, body = ?1 WHERE version = ?2 AND id = ?3"
        return self.connection.execute(update if version else insert, [body, version, key]).rowcount == 1

    def ids(self):
        return [key for (key,) in self.connection.execute("SELECT id FROM documents").fetchall()]


class Transaction:
    """What one transaction sees. All of a plan is one document, so committing is one conditional put."""

    def __init__(self, documents):
        self.documents, self.plans_read, self.changed = documents, {}, set()

    def _plan(self, plan_id):
        if plan_id not in self.plans_read:
            version, body = self.documents.get(plan_id)
            self.plans_read[plan_id] = [version, decode(body) if version else None]
        return self.plans_read[plan_id][1]

    def commit(self):
        return all(self.documents.put(key, self.plans_read[key][0], encode(self._plan(key))) for key in self.changed)

    def plan(self, plan_id, *, to_change=False):
        document = self._plan(plan_id)
        return document and PlanRow(**document["row"])

    def add_plan(self, row):
        if self._plan(row.plan_id) is not None:
            return False
        self.plans_read[row.plan_id][1] = {"ops": [], "events": []}
        self.save_plan(row)
        return True

    def save_plan(self, row):
        self._plan(row.plan_id)["row"] = asdict(row)
        self.changed.add(row.plan_id)

    def plans(self, state):
        rows = [self.plan(plan_id) for plan_id in self.documents.ids()]
        return [row for row in rows if state in (None, row.state)]

    def add_ops(self, row, ops):
        self._plan(row.plan_id)["ops"][row.revision :] = ops

    def ops(self, row, start, stop):
        return self._plan(row.plan_id)["ops"][start:stop]

    def add_events(self, row, events):
        self._plan(row.plan_id)["events"][row.event_count :] = events

    def events(self, row):
        return self._plan(row.plan_id)["events"][: row.event_count]


class DocumentBackend:
    """Runs a transaction, all over again when somebody else was quicker."""

    def __init__(self, path):
        self.documents = Documents(path)
        self.turn = threading.Lock()  # the connection serves one thread at a time

    async def run(self, work, *, write, then=None):
        return await asyncio.to_thread(self._run, work, then)

    def _run(self, work, then):
        with self.turn:
            while True:
                transaction = Transaction(self.documents)
                result = work(transaction)
                if transaction.commit():
                    if then is not None:
                        then(result)
                    return result

    async def close(self):
        self.documents.connection.close()


def document_store(tmp_path):
    return BackedPlanStore(DocumentBackend(tmp_path / "plans.db"))
