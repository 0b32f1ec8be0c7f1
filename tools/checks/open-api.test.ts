import { describe, expect, it } from 'vitest';
import { documentProblems } from './open-api.ts';

const operation = {
  operationId: 'getIt',
  description: 'Returns it.',
  tags: ['it'],
  responses: { 200: { description: 'Done' } },
};
const document = {
  openapi: '3.1.0',
  info: { title: 'It', version: '1.0.0', description: 'It.', contact: { name: 'Us' } },
  servers: [{ url: '/' }],
  tags: [{ name: 'it' }],
  paths: { '/it': { get: operation } },
};

describe('the check of OpenAPI documents', () => {
  it('accepts a document that keeps the rules', async () => {
    expect(await documentProblems(document)).toEqual([]);
  });

  it('reports errors and warnings, with their places', async () => {
    const body = { content: { 'application/json': { schema: { type: 'string' }, example: 7 } } };
    const wrong = {
      ...document,
      paths: {
        '/it/{id}': { get: { ...operation, description: '' }, post: { ...operation, requestBody: body } },
      },
    };
    const problems = (await documentProblems(wrong)).join('\n');
    for (const rule of [
      'path-params',
      'operation-operationId-unique',
      'operation-description',
      'oas3-valid-media-example',
    ])
      expect(problems).toContain(`(${rule})`);
    expect(problems).toContain('paths › /it/{id}');
  });
});
