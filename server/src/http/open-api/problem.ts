import type { ErrorReply } from '@hengfu/contract/error-reply';
import { type ErrorCode, errorStatus } from '@hengfu/contract/errors';
import type { Language } from '@hengfu/contract/languages';
import { errorPagePath, type OpenError } from '@hengfu/contract/open-api';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { isPhrase, translate } from '#domain/language.ts';

/** Whether errors of a request are sent as problem details: of all calls of merchants' systems, known or not. */
export function getsProblems(url: string): boolean {
  return url.startsWith('/openapi/');
}

/** Adds the members of RFC 9457 to an error reply. The others stay as they are everywhere. */
export function problemOf(reply: ErrorReply, language: Language, publicUrl: string): OpenError {
  const { code, message, request_id } = reply;
  return {
    type: `${publicUrl}${errorPagePath(code)}`,
    title: titleOf(code, language),
    status: errorStatus[code],
    detail: message,
    instance: `urn:uuid:${request_id}`,
    ...reply,
  };
}

/** Returns the title of a code. Codes that signed calls do not return are named by themselves. */
function titleOf(code: ErrorCode, language: Language): string {
  const phrase: `openErrors.${ErrorCode}` = `openErrors.${code}`;
  return isPhrase(phrase) ? translate(language, phrase as PhraseKey) : code;
}
