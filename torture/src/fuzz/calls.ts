import { merchantHeader } from '@hengfu/contract/workplaces';
import fc from 'fast-check';
import type { Call, Caller } from './call.ts';
import type { JsonSchema, Operation } from './document.ts';
import type { Json } from './json.ts';
import { placeholder } from './pool.ts';
import { samples } from './samples.ts';
import { addressTwists, envelopeTwists, queryTwists } from './twists.ts';
import { bodyTwists } from './twists-of-bodies.ts';
import { rightValue } from './values.ts';

const weights = { right: 3, twisted: 7 };

/** Generates calls of an operation: valid, almost valid and hostile ones. */
export function callsOf(operation: Operation): fc.Arbitrary<Call> {
  const right = rightCalls(operation);
  const hasQuery = operation.parameters.some((parameter) => parameter.in === 'query');
  const twists = fc.oneof(
    ...(operation.body ? [{ arbitrary: bodyTwists, weight: 6 }] : []),
    { arbitrary: queryTwists, weight: hasQuery ? 5 : 1 },
    ...(operation.path.includes('{') ? [{ arbitrary: addressTwists, weight: 3 }] : []),
    { arbitrary: envelopeTwists, weight: 2 },
  );
  const twisted = fc.tuple(right, twists).map(([call, twist]) => twist(call, operation));
  return fc.oneof(
    { arbitrary: right, weight: weights.right },
    { arbitrary: twisted, weight: weights.twisted },
  );
}

const callersOf: Record<Operation['access'], readonly [Caller, number][]> = {
  public: [
    ['visitor', 5],
    ['nobody', 3],
    ['admin', 1],
  ],
  session: [
    ['bound', 9],
    ['admin', 5],
    ['viewer', 3],
    ['visitor', 1],
    ['nobody', 1],
  ],
  signed: [
    ['program', 9],
    ['nobody', 1],
  ],
};

/** Generates valid calls of an operation. */
export function rightCalls(operation: Operation): fc.Arbitrary<Call> {
  const { name, method, path, access, parameters, body } = operation;
  const who = fc.oneof(
    ...callersOf[access].map(([caller, weight]) => ({ arbitrary: fc.constant(caller), weight })),
  );
  const valuesIn = (place: 'query' | 'header') => {
    const fields = parameters.filter((parameter) => parameter.in === place);
    // A page names its merchant in every call that writes.
    const required = fields
      .filter((field) => field.required || field.name === merchantHeader)
      .map((field) => field.name);
    const values = fields.map((field) => [field.name, rightValue(field.schema, field.name, path)]);
    const optional = fields.map((field) => field.name).filter((field) => !required.includes(field));
    const all = fc.record<Record<string, Json>>(Object.fromEntries(values));
    // Almost no query would match with all of a list's filters at once.
    return fc
      .tuple(all, fc.subarray(optional, { maxLength: Math.min(2, optional.length) }))
      .map(([given, some]) => {
        const chosen = [...required, ...some].map((field) => [field, given[field] ?? ''] as const);
        return Object.fromEntries(chosen);
      });
  };
  return fc
    .record({
      who,
      query: valuesIn('query'),
      headers: valuesIn('header'),
      numbers: fc.array(fc.nat(30), { size: 'small' }),
      body: body ? fc.option(bodyOf(name, body), { freq: 20, nil: undefined }) : fc.constant(undefined),
    })
    .map((parts) => ({
      who: parts.who,
      method,
      path: pathOf(path, parts.numbers),
      isElsewhere: false,
      isWrong: false,
      query: Object.entries(parts.query).map(([field, value]) => [field, String(value)] as const),
      headers: {
        ...(parts.body !== undefined && { 'content-type': 'application/json' }),
        ...Object.fromEntries(
          Object.entries(parts.headers).map(([field, value]) => [field, headerText(value)]),
        ),
      },
      body: parts.body === undefined ? undefined : JSON.stringify(parts.body),
    }));
}

function bodyOf(name: string, schema: JsonSchema): fc.Arbitrary<Json> {
  const made = rightValue(schema);
  const sample = samples[name];
  return sample ? fc.oneof({ arbitrary: sample, weight: 4 }, { arbitrary: made, weight: 1 }) : made;
}

/** Names that path parameters have in replies, where the replies have other ones. */
const namesInReplies: Readonly<Record<string, string>> = { key_id: 'keyId', role: 'code' };

/** Fills a path with placeholders for identifiers that the product has returned from the same list. */
function pathOf(path: string, choices: readonly number[]): string {
  let index = 0;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const list = path.split('/{')[0];
    const known = namesInReplies[name] ?? (name.endsWith('_id') ? 'id' : name);
    return placeholder(name === 'ifsc' ? 'ifsc' : `${list}/${known}`, choices[index++] ?? 0);
  });
}

/** Replaces characters that a header cannot carry, except around placeholders. */
function headerText(value: Json): string {
  return String(value).replaceAll(/[^\x20-\x7e⟦⟧]/g, '?');
}
