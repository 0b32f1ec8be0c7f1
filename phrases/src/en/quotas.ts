/** What each quota of the contract counts, as the end of a sentence: the limit of 20 … */
export const quotas = {
  exportsOfMerchant: 'unfinished exports per merchant',
  exportsOfUser: 'unfinished exports per user',
  batchesOfMerchant: 'unfinished batch payouts per merchant',
  linksOfMerchant: 'payment links per merchant',
  callbackEndpointsOfMerchant: 'callback endpoints per merchant',
  topupsOfMerchant: 'top-ups awaiting review per merchant',
  keysOfMerchant: 'access keys per merchant',
  replacedKeysOfMerchant: 'replaced access keys per merchant that are still valid',
  passkeysOfUser: 'passkeys per user',
  membersOfMerchant: 'members and open invitations per merchant',
  ownRolesOfMerchant: 'roles made by a merchant',
  evidenceOfMember: 'uploaded files per person that belong to no request yet',
  evidenceOfMemberDaily: 'uploaded files per person within 24 hours',
  evidenceDaily: 'uploaded files of everybody within 24 hours',
  streamsOfUser: 'open pages per user',
  streamsOfMerchant: 'open pages per merchant',
};
