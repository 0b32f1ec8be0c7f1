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

/** Only those who have a role pass the door of our staff: most of its calls are valid, so that they get beyond it. */
const weights = { merchants: { right: 3, twisted: 7 }, staff: { right: 6, twisted: 4 } };

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
    { arbitrary: right, weight: weights[operation.door].right },
    { arbitrary: twisted, weight: weights[operation.door].twisted },
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
    ['tester', 1],
    ['viewer', 3],
    ['visitor', 1],
    ['nobody', 1],
    ['staffAdmin', 1],
  ],
  staff: [
    ['staffAdmin', 12],
    ['staffFinance', 3],
    ['staffSupport', 3],
    ['staffReviewer', 2],
    ['staffVisitor', 1],
    ['nobody', 1],
    ['admin', 1],
  ],
  signed: [
    ['program', 9],
    ['nobody', 1],
  ],
};

/** Callers of public operations of the back office. */
const staffGuests: readonly [Caller, number][] = [
  ['staffVisitor', 5],
  ['nobody', 2],
  ['staffSupport', 1],
];

const likelyWeight = 20;

/** The caller with whom calls of a path succeed most: one in test mode, or one who can still bind an authenticator app. */
function likelyCaller(path: string): Caller | undefined {
  if (path.includes('/test-mode/')) return 'tester';
  return path.includes('two-factor-') || path.includes('/sessions') ? 'admin' : undefined;
}

/** Generates valid calls of an operation. */
export function rightCalls(operation: Operation): fc.Arbitrary<Call> {
  const { name, method, path, access, door, parameters, body } = operation;
  const callers = access === 'public' && door === 'staff' ? staffGuests : callersOf[access];
  const who = fc.oneof(
    ...callers.map(([caller, weight]) => ({
      arbitrary: fc.constant(caller),
      weight: caller === likelyCaller(path) ? likelyWeight : weight,
    })),
  );
  const valuesIn = (place: 'query' | 'header') => {
    const fields = parameters.filter((parameter) => parameter.in === place);
    // A page names its merchant in every call that writes, and asks for a code wherever one may be needed.
    const required = fields
      .filter(
        ({ name: field, required: isRequired }) => isRequired || field === merchantHeader || field === 'code',
      )
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
const namesInReplies: Readonly<Record<string, string>> = {
  key_id: 'keyId',
  request_id: 'request_id',
  role: 'code',
};

/** Path parameters whose values are known beforehand. */
const fixedNames = new Set(['ifsc', 'channel', 'day']);

/** Fills a path with placeholders for identifiers that the product has returned from the same list. */
function pathOf(path: string, choices: readonly number[]): string {
  let index = 0;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const list = path.split('/{')[0];
    const known = namesInReplies[name] ?? (name.endsWith('_id') ? 'id' : name);
    return placeholder(fixedNames.has(name) ? name : `${list}/${known}`, choices[index++] ?? 0);
  });
}

/** Replaces characters that a header cannot carry, except around placeholders. */
function headerText(value: Json): string {
  return String(value).replaceAll(/[^\x20-\x7e⟦⟧]/g, '?');
}
