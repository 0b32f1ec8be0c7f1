import { testCallEndpoints } from '@hengfu/contract/test-calls';
import { describe, expect, test } from 'vitest';
import { newNumber, numbersIn, pathOf, startingBody, startingValue, withNewNumber } from './compose-call.ts';
import type { Operation } from './open-document.ts';

const operation = (more: Partial<Operation>): Operation => ({
  id: 'x',
  group: 'collections',
  method: 'GET',
  path: '/openapi/v1/collections',
  summary: '',
  description: '',
  parameters: [],
  body: undefined,
  replies: [],
  ...more,
});
const inPath = { name: 'trade_no', in: 'path', required: true, example: 'C1' } as const;
const inQuery = { name: 'out_trade_no', in: 'query', required: false } as const;
const inHeader = { name: 'Idempotency-Key', in: 'header', required: false } as const;

describe('the path of a call', () => {
  const cancel = operation({ path: '/openapi/v1/collections/{trade_no}/cancel', parameters: [inPath] });

  test('has the values of its parameters, as texts that lead nowhere else', () => {
    expect(pathOf(cancel, { 'path trade_no': ' C2 ' })).toBe('/openapi/v1/collections/C2/cancel');
    expect(pathOf(cancel, { 'path trade_no': '../a?b#c' })).toBe(
      '/openapi/v1/collections/..%2Fa%3Fb%23c/cancel',
    );
    expect(pathOf(cancel, { 'path trade_no': '$&' })).toBe('/openapi/v1/collections/%24%26/cancel');
  });

  test('has no query for what is empty, nor for headers', () => {
    const find = operation({ parameters: [inQuery, inHeader] });
    expect(pathOf(find, { 'query out_trade_no': '', 'header Idempotency-Key': 'k' })).toBe(find.path);
    expect(pathOf(find, { 'query out_trade_no': 'a b&c' })).toBe(`${find.path}?out_trade_no=a%20b%26c`);
  });

  test('is accepted with every sign that a number may have', () => {
    const find = operation({ parameters: [inQuery] });
    const signs = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join('');
    const path = pathOf(find, { 'query out_trade_no': signs });
    expect(path).toContain('%21%22%23%24%25%26%27%28%29%2A%2B');
    expect(testCallEndpoints.send.body.shape.path.parse(path)).toBe(path);
    expect(new URL(path, 'https://pay.example').searchParams.get('out_trade_no')).toBe(signs);
  });
});

describe('the input at the beginning', () => {
  const refund = operation({
    group: 'refunds',
    method: 'POST',
    body: { out_refund_no: 'R', trade_no: 'C1', amount: '1.00' },
  });

  test('has a new number, and that of the order that was created before', () => {
    expect(JSON.parse(startingBody(refund, {}, 5))).toEqual({
      out_refund_no: newNumber(5),
      trade_no: 'C1',
      amount: '1.00',
    });
    const known = numbersIn(operation({}), '{"trade_no":"C7","out_trade_no":"mine","amount":"1.00"}');
    expect(known).toEqual({ 'collections.trade_no': 'C7', 'collections.out_trade_no': 'mine' });
    expect(JSON.parse(startingBody(refund, known, 5))).toMatchObject({ trade_no: 'C7' });
    expect(startingValue(operation({}), inPath, known)).toBe('C7');
    expect(startingValue(operation({ group: 'payouts' }), inPath, known)).toBe('C1');
  });

  test('gets a new number without losing what was typed', () => {
    const typed = '{"out_trade_no": "TEST-1", "amount": "7.00"}';
    expect(JSON.parse(withNewNumber(typed, 9))).toEqual({ out_trade_no: 'TEST-9', amount: '7.00' });
    for (const text of ['', '{"out_trade_no": ', '[1]', 'null', '{"a":1}'])
      expect(withNewNumber(text, 9)).toBe(text);
  });
});
