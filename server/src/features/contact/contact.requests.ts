import { isDeepStrictEqual } from 'node:util';
import { type ContactKind, contactValues } from '@hengfu/contract/contact';
import type { RequestFact } from '@hengfu/contract/staff/requests';
import type { Database } from '#db/database.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import { removeContact, setContact } from './contact.service.ts';
import { type ContactWithNotes, findContactWay } from './contact.sql.ts';

/** A change of the contact page, with the contact that both people have read; null before it is added, and after it is removed. */
interface ContactChange {
  kind: ContactKind;
  value: string;
  before: ContactWithNotes | null;
  after: ContactWithNotes | null;
}

type Options = { breakGlass?: string | undefined };

/** Values can be long; subjects are indexed. */
const subjectLength = 200;

/** Changes the contact page of all merchants once a second person agrees: whoever controls it can pass for the service. */
export class ContactRequests {
  readonly #database: Database;
  readonly #requests: StaffRequests;

  constructor(database: Database, requests: StaffRequests) {
    this.#database = database;
    this.#requests = requests;
  }

  /**
   * Asks for a contact, or for other notes of an existing one. Returns the request's ID; undefined if an operator's change was made at once. Throws
   * `validation_failed` if the value does not fit its kind, and `request_waiting`.
   */
  async askToSet(after: ContactWithNotes, by: ServiceActor, reason: string, options: Options = {}) {
    if (!contactValues[after.kind].safeParse(after.value).success) throw new Refusal('validation_failed');
    return this.#ask({ ...after, after, before: await this.#find(after) }, by, reason, options);
  }

  /** Asks for the removal of a contact. Returns, and throws, likewise; also throws `not_found`. */
  async askToRemove(
    given: Pick<ContactWithNotes, 'kind' | 'value'>,
    by: ServiceActor,
    reason: string,
    options: Options = {},
  ) {
    const before = await this.#find(given);
    if (!before) throw new Refusal('not_found');
    return this.#ask({ ...given, after: null, before }, by, reason, options);
  }

  async #find({ kind, value }: Pick<ContactWithNotes, 'kind' | 'value'>): Promise<ContactWithNotes | null> {
    return (await this.#database.asSystem((tx) => findContactWay(tx, kind, value))) ?? null;
  }

  #ask(
    { kind, value, before, after }: ContactChange,
    by: ServiceActor,
    reason: string,
    options: Options,
  ): Promise<bigint | undefined> {
    const change: ContactChange = { kind, value, before, after };
    const question = {
      kind: 'contactPage',
      merchantId: null,
      subject: `${kind} ${value}`.slice(0, subjectLength),
      change,
      facts: factsOf(change),
      reason,
    } as const;
    return this.#requests.ask(question, by, options);
  }
}

/** Everything that the second person has to read. */
function factsOf({ before, after }: ContactChange): RequestFact[] {
  const fact = (
    name: RequestFact['name'],
    of: (way: ContactWithNotes) => string | undefined,
  ): RequestFact => ({
    name,
    before: (before && of(before)) ?? null,
    after: (after && of(after)) ?? null,
  });
  const notes = [
    fact('note', ({ notes: { en } }) => en),
    fact('noteZhCn', ({ notes }) => notes['zh-cn']),
    fact('noteVi', ({ notes: { vi } }) => vi),
  ].filter((each) => each.before !== null || each.after !== null);
  return [fact('contact', ({ kind, value }) => `${kind} ${value}`), ...notes];
}

/** Changes the contact page once the second person agrees, unless it is another one by now. */
export const contactPageEffects: StaffEffects = {
  async perform(tx, { change }, by) {
    const { kind, value, before, after } = change as ContactChange;
    const found = (await findContactWay(tx, kind, value)) ?? null;
    if (!isDeepStrictEqual(found, before)) throw new Refusal('approval_changed');
    if (after) await setContact(tx, after, by);
    else await removeContact(tx, kind, value, by);
  },
};
