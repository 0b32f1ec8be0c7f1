import { accountEndpoints } from '@hengfu/contract/account';
import { type Currency, formatAmount, parseAmount } from '@hengfu/contract/money';
import { checkFields, focusFirst } from '@hengfu/ui/form/check-fields.ts';
import { type FormState, without } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useMoneyText } from '@hengfu/ui/values/money.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type * as z from 'zod';
import { reading } from '../../platform/reading.ts';

/** The cost of a payment, fee included. */
interface Cost {
  totalMinor: bigint;
  currency: Currency;
}

interface PaymentFormOptions<S extends z.ZodType> {
  /** The contract's rules for the fields. */
  schema: S;
  /** The cost of a valid order; undefined if it is not known. */
  costOf: (order: z.output<S>) => Cost | undefined;
  /** Says what is wrong with the amount of a valid order, apart from the funds; undefined if nothing is. */
  amountFaultOf?: (order: z.output<S>) => string | undefined;
}

/** A payment's form: its state, and the order to confirm once it is valid and the funds cover it. */
interface PaymentForm<Order> {
  form: FormState;
  order: Order | undefined;
  /** Returns from the confirmation to the form, with the errors that the server found in it. */
  reopen: (faults?: Readonly<Record<string, string>>) => void;
}

/**
 * Manages the form before a payment's confirmation: validates its fields, and compares its cost with the
 * available funds, so that nobody is asked for a password that cannot help.
 */
export function usePaymentForm<S extends z.ZodType>({
  schema,
  costOf,
  amountFaultOf,
}: PaymentFormOptions<S>): PaymentForm<z.output<S>> {
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [order, setOrder] = useState<z.output<S>>();
  const [isIncomplete, setIncomplete] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const shortfallOf = useShortfall();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const { data, faults: found, isIncomplete: isMissing } = checkFields(form, schema);
    setFaults(found);
    setIncomplete(isMissing);
    if (!data) return;
    setBusy(true);
    const short = amountFaultOf?.(data) ?? (await shortfallOf(costOf(data)));
    setBusy(false);
    if (short === undefined) setOrder(data);
    else {
      setFaults({ amount: short });
      focusFirst(form, { amount: short });
    }
  };
  return {
    form: {
      faults,
      refusal: undefined,
      isIncomplete: isIncomplete && Object.keys(faults).length > 0,
      isBusy,
      submit: (event) => void submit(event),
      forget: (name) => setFaults((known) => without(known, name)),
    },
    order,
    reopen: (found = {}) => {
      setOrder(undefined);
      setFaults(found);
    },
  };
}

/**
 * Returns a function that reads the available funds and says how much they lack of a cost; undefined if they
 * suffice, or cannot be read now: the server decides when the payment is submitted.
 */
function useShortfall(): (cost: Cost | undefined) => Promise<string | undefined> {
  const t = useT();
  const moneyText = useMoneyText();
  const client = useQueryClient();
  return async (cost) => {
    if (!cost) return undefined;
    const { totalMinor, currency } = cost;
    const current = { ...reading(accountEndpoints.get), staleTime: 0 };
    const funds = await client.fetchQuery(current).catch(() => undefined);
    const availableMinor = funds && parseAmount(funds.available, currency);
    if (availableMinor === undefined || totalMinor <= availableMinor) return undefined;
    return t('payouts.short', {
      amount: moneyText(formatAmount(totalMinor - availableMinor, currency), currency),
    });
  };
}
