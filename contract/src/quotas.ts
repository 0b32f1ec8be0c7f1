/**
 * How much of a shared resource one merchant or one person may hold at a time. Beyond it, a call is refused
 * with `quota_reached` (429), which names the quota in `details`; others are not affected.
 */
export const quotas = {
  /** Waiting and running exports. */
  exportsOfMerchant: 20,
  exportsOfUser: 10,
  /** Payout batches with waiting rows. */
  batchesOfMerchant: 20,
  /** Wipes of a merchant's test data within 24 hours. */
  wipesOfMerchant: 5,
  /** Payment links, whether or not they are on. */
  linksOfMerchant: 1000,
  /** Callback endpoints, in whatever state. */
  callbackEndpointsOfMerchant: 10,
  /** Top-ups that wait for review. */
  topupsOfMerchant: 50,
  /** Access keys, on or off, without those that were replaced; and those that stay valid beside their successors for a while. */
  keysOfMerchant: 20,
  replacedKeysOfMerchant: 20,
  passkeysOfUser: 20,
  /** Members, and open invitations. */
  membersOfMerchant: 300,
  /** Roles that the merchant has made. */
  ownRolesOfMerchant: 20,
  /** Files of evidence that nobody has asked with yet. */
  evidenceOfMember: 20,
  /** Files of evidence within 24 hours, of one person and of everybody together. */
  evidenceOfMemberDaily: 60,
  evidenceDaily: 200,
  /** Open event streams per web process. */
  streamsOfUser: 32,
  streamsOfMerchant: 256,
} as const;

export type Quota = keyof typeof quotas;
