// The guards of the relay's wire: exactly the declared members, nothing coerced.

const isText = (value) => typeof value === "string";
const isFlag = (value) => typeof value === "boolean";
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const isPlain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// With a stack of its own, so that no depth overflows another.
function isJson(value) {
  const waiting = [value];
  while (waiting.length > 0) {
    const item = waiting.pop();
    if (typeof item === "object" && item !== null) {
      for (const child of Object.values(item)) waiting.push(child);
    } else if (typeof item === "number" && !Number.isFinite(item)) {
      return false;
    }
  }
  return true;
}

const isObject = (value) => isPlain(value) && isJson(value);
const arrayOf = (guard) => (value) => Array.isArray(value) && value.every((item) => guard(item));
const oneOf = (...texts) => (value) => texts.includes(value);

function record(required, optional = {}) {
  const guards = new Map([...Object.entries(required), ...Object.entries(optional)]);
  const needed = Object.keys(required);
  return (value) =>
    isPlain(value) &&
    needed.every((name) => Object.hasOwn(value, name)) &&
    Object.keys(value).every((name) => guards.has(name) && guards.get(name)(value[name]));
}

const isCall = record({ id: isText, name: isText, arguments: isObject });
const isMessage = record(
  { id: isText, role: oneOf("system", "user", "assistant", "tool"), content: isText },
  { calls: arrayOf(isCall), images: arrayOf(isText) },
);
const isTool = record({ name: isText }, { description: isText, parameters: isObject });
const isOptions = record({}, { think: isFlag, schema: isObject });
const isUsage = record({ prompt: isNumber, completion: isNumber, total: isNumber });
const isResult = record({ content: isText }, { thinking: isText, tools: arrayOf(isCall), usage: isUsage });

export const isRequest = record({ messages: arrayOf(isMessage) }, { tools: arrayOf(isTool), options: isOptions });

const frames = {
  content: record({ channel: isText, text: isText }),
  thinking: record({ channel: isText, text: isText }),
  result: record({ channel: isText, result: isResult }),
  abort: record({ channel: isText, partial: isResult }),
  error: record({ channel: isText, message: isText }),
};

export const isFrame = (value) => isPlain(value) && Object.hasOwn(frames, value.channel) && frames[value.channel](value);
