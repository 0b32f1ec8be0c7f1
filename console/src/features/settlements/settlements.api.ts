import { settlementEndpoints } from '@hengfu/contract/settlements';
import { reading } from '../../platform/reading.ts';
import { listOptions } from '../../ui/list/list-query.ts';

/** Key of every batch's figures, for invalidation. */
export const settlementDetailKey = [settlementEndpoints.get.path] as const;

/** One batch's figures. */
export function settlementOptions(settlementNo: string) {
  return reading(settlementEndpoints.get, { params: { settlement_no: settlementNo } });
}

/** First page of a batch's lines, the same one that the list of lines asks for; its sum is of all lines. */
export function firstLinesOptions(settlementNo: string) {
  return listOptions(settlementEndpoints.lines, {}, { settlement_no: settlementNo });
}
