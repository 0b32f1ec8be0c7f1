/** Test mode: the switch in the top bar, the band on every page, and the dialog. */
export const testMode = {
  band: 'Test mode: nothing here moves real money',
  titleMark: 'TEST',
  title: 'Test mode',
  enterText:
    'Test mode has orders, funds, lists and access keys of its own. All banks in it are played by a sandbox, so you can try out everything without moving real money.',
  sameText: 'People, roles, approval rules and fees are those of live mode. You change them there.',
  enter: 'Switch to test mode',
  leave: 'Back to live mode',
  funds: 'Add test funds',
  fundsText: 'Adds to the available funds, so that you can try out payouts. Test funds are worth nothing.',
  amount: 'Amount in {{currency}}',
  added: 'The test funds were added.',
  wipe: 'Wipe test data',
  wipeText:
    'Closes this test environment and opens an empty one: with other keys, without orders, funds, links and exports. Keys of the old one stop working at once. This cannot be undone.',
};
