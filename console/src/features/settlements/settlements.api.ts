import { settlementEndpoints } from '@hengfu/contract/settlements';
import { reading } from '../../platform/reading.ts';
import { listOptions } from '../../shared/list/list-query.ts';

/** Key of every batch's figures, for invalidation. */
export const settlementDetailKey = [settlementEndpoints.get.path] as const;

/** One batch's figures. */
export function settlementOptions(settlementNo: string) {
  return reading(settlementEndpoints.get, { params: { settlement_no: settlementNo } });
}

/** The first page of a batch's lines, shared with the list of lines; its sum covers all lines. */
export function firstLinesOptions(settlementNo: string) {
  return listOptions(settlementEndpoints.lines, {}, { settlement_no: settlementNo });
}
