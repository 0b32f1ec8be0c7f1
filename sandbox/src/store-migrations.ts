const collections = `
  CREATE TABLE collections (
    id TEXT PRIMARY KEY,
    reference TEXT NOT NULL UNIQUE,
    request TEXT NOT NULL,
    amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
    currency TEXT NOT NULL,
    description TEXT,
    notify_url TEXT NOT NULL,
    return_url TEXT,
    expires_at TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'paid', 'refused', 'cancelled')),
    reason TEXT,
    confirmed_at TEXT,
    paid_at TEXT,
    due_at TEXT,
    created_at TEXT NOT NULL,
    CHECK ((status = 'pending') = (due_at IS NOT NULL)),
    CHECK ((status = 'paid') = (paid_at IS NOT NULL))
  ) STRICT;
  CREATE INDEX collections_due ON collections (due_at) WHERE due_at IS NOT NULL;`;

const refunds = `
  CREATE TABLE refunds (
    reference TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    collection_id TEXT NOT NULL REFERENCES collections (id),
    amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
    status TEXT NOT NULL CHECK (status IN ('refunded', 'refused')),
    reason TEXT,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX refunds_collection ON refunds (collection_id);`;

const callbacks = `
  CREATE TABLE callbacks (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'acknowledged', 'given_up')),
    attempts INTEGER NOT NULL DEFAULT 0,
    last_result TEXT,
    next_attempt_at TEXT NOT NULL,
    give_up_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX callbacks_due ON callbacks (next_attempt_at) WHERE status = 'waiting';`;

const payouts = `
  CREATE TABLE payouts (
    id TEXT PRIMARY KEY,
    reference TEXT NOT NULL UNIQUE,
    request TEXT NOT NULL,
    amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
    currency TEXT NOT NULL,
    notify_url TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'paid', 'refused')),
    reason TEXT,
    decided_at TEXT,
    due_at TEXT,
    created_at TEXT NOT NULL,
    CHECK ((status = 'pending') = (due_at IS NOT NULL)),
    CHECK ((status = 'pending') = (decided_at IS NULL))
  ) STRICT;
  CREATE INDEX payouts_due ON payouts (due_at) WHERE due_at IS NOT NULL;`;

/** For the list of orders by the time of their arrival. */
const statements = `
  CREATE INDEX collections_by_arrival ON collections (created_at, reference);
  CREATE INDEX payouts_by_arrival ON payouts (created_at, reference);
  CREATE INDEX refunds_by_arrival ON refunds (created_at, reference);`;

/** References that the service voided before a refund under them arrived: none is ever made. */
const voidedRefunds = `
  CREATE TABLE voided_refunds (
    reference TEXT PRIMARY KEY,
    created_at TEXT NOT NULL
  ) STRICT;`;

/** Refunds may be pending. A check of SQLite cannot be changed, so the rows move to a new table. */
const pendingRefunds = `
  ALTER TABLE refunds RENAME TO earlier_refunds;
  CREATE TABLE refunds (
    reference TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    collection_id TEXT NOT NULL REFERENCES collections (id),
    amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
    status TEXT NOT NULL CHECK (status IN ('refunded', 'refused', 'pending')),
    reason TEXT,
    created_at TEXT NOT NULL
  ) STRICT;
  INSERT INTO refunds (reference, request, collection_id, amount_minor, status, reason, created_at)
    SELECT reference, request, collection_id, amount_minor, status, reason, created_at FROM earlier_refunds;
  DROP TABLE earlier_refunds;
  CREATE INDEX refunds_collection ON refunds (collection_id);
  CREATE INDEX refunds_by_arrival ON refunds (created_at, reference);`;

/** The bank's own number of each refund. */
const refundNumbers = `
  ALTER TABLE refunds ADD COLUMN id TEXT;
  UPDATE refunds SET id = 'br_' || lower(hex(randomblob(16)));
  CREATE UNIQUE INDEX refunds_number ON refunds (id);`;

/** The migrations of the database, in order. A change is a new step at the end. */
export const migrations: readonly string[] = [
  collections,
  refunds,
  callbacks,
  payouts,
  statements,
  voidedRefunds,
  pendingRefunds,
  refundNumbers,
];
