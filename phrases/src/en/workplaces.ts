/** The merchants that a person works for: the chooser after sign-in, and the switch in the top bar. */
export const workplaces = {
  title: 'Choose a merchant',
  other: 'Choose another merchant',
  text: 'You work for several merchants. You can switch at any time in the top bar.',
  last: 'Last used',
  unavailable: 'Not available: suspended',
  switch: 'Merchant: {{name}}',
  switched: 'You have switched to another merchant',
  switchedText:
    'This tab was opened for {{name}}. It is no longer connected, so that nothing happens in the name of the wrong merchant. Reload it to continue with the merchant that you switched to.',
  reload: 'Reload',
  none: 'None of your merchants is available at the moment. Please contact our support team.',
};
