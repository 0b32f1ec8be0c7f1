import { accountEndpoints } from '@hengfu/contract/account';
import { fundFlowEndpoints } from '@hengfu/contract/fund-flow';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';
import { reading } from '../../platform/reading.ts';

/** A range of the statement; without a start or end it is open on that side. */
export interface Range {
  createdFrom?: string;
  createdTo?: string;
}

/** The totals of a range of the statement. */
export function sumsOptions(range: Range) {
  return queryOptions({
    queryKey: [fundFlowEndpoints.sums.path, range],
    queryFn: async ({ signal }) => (await call(fundFlowEndpoints.sums, { query: range, signal })).data,
    meta: { inPlace: true },
  });
}

/** The current figures. */
export const figuresOptions = reading(accountEndpoints.get);

/** The figures just before an instant. */
export function figuresAtOptions(at: string) {
  return queryOptions({
    queryKey: [accountEndpoints.at.path, at],
    queryFn: async ({ signal }) => (await call(accountEndpoints.at, { query: { at }, signal })).data,
    meta: { inPlace: true },
  });
}

/** The orders behind locked and unsettled funds. */
export const breakdownOptions = reading(accountEndpoints.breakdown);
