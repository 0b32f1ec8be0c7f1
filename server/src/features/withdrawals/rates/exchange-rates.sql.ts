import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** Earlier rates of each currency that are listed. */
const maxPerCurrency = 30;

/** The price of one USDT in a currency, from an instant on. */
export interface Rate {
  currency: Currency;
  rate: string;
  validFrom: Date;
  isCurrent: boolean;
}

/** Lists the latest rates of each currency, newest first. */
export async function listRates(tx: Tx): Promise<Rate[]> {
  const { rows } = await sql<Rate>`
    select currency, rate, "validFrom", "isCurrent" from (
      select currency, trim_scale(usdt_rate)::text as rate, valid_from as "validFrom",
        row_number() over (partition by currency order by valid_from desc) as place,
        valid_from = max(valid_from) filter (where valid_from <= now()) over (partition by currency) as "isCurrent"
      from exchange_rate) r
    where place <= ${maxPerCurrency} order by "validFrom" desc, currency`.execute(tx.query);
  return rows;
}

/** Finds the current price of one USDT in a currency. */
export async function findRate(tx: Tx, currency: Currency): Promise<string | undefined> {
  const { rows } = await sql<{ rate: string }>`
    select trim_scale(usdt_rate)::text as rate from exchange_rate
    where currency = ${currency} and valid_from <= now() order by valid_from desc limit 1`.execute(tx.query);
  return rows[0]?.rate;
}
