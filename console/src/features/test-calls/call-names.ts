import type { PhraseKey } from '@hengfu/phrases/phrases';

/** Names of the calls by the ID of their operation. */
export const callNames: Readonly<Record<string, PhraseKey>> = {
  getBalance: 'testCalls.calls.getBalance',
  getBalanceEntriesList: 'testCalls.calls.getBalanceEntriesList',
  postCollections: 'testCalls.calls.postCollections',
  getCollections: 'testCalls.calls.getCollections',
  getCollectionsList: 'testCalls.calls.getCollectionsList',
  getCollectionsByTradeNo: 'testCalls.calls.getCollectionsByTradeNo',
  postCollectionsByTradeNoCancel: 'testCalls.calls.postCollectionsByTradeNoCancel',
  postCollectionsByTradeNoRefund: 'testCalls.calls.postCollectionsByTradeNoRefund',
  postPayouts: 'testCalls.calls.postPayouts',
  getPayouts: 'testCalls.calls.getPayouts',
  getPayoutsList: 'testCalls.calls.getPayoutsList',
  getPayoutsByTradeNo: 'testCalls.calls.getPayoutsByTradeNo',
  postRefunds: 'testCalls.calls.postRefunds',
  getRefunds: 'testCalls.calls.getRefunds',
  getRefundsList: 'testCalls.calls.getRefundsList',
  getRefundsByRefundNo: 'testCalls.calls.getRefundsByRefundNo',
  getSettlementsList: 'testCalls.calls.getSettlementsList',
};
