export const contact = {
  title: 'Contact us',
  intro: 'You can reach our support team here. If your question is about an order, have its number ready.',
  kind: {
    email: 'Email',
    phone: 'Phone',
    whatsapp: 'WhatsApp',
    telegram: 'Telegram',
    wechat: 'WeChat',
    website: 'Website',
  },
  empty: 'No contact details have been published yet. Please ask the person who opened your account.',
  yours: 'Please tell us',
  merchant: 'Merchant',
  signedInAs: 'Signed in as',
  trouble: 'Is something not working?',
  toStatus: 'See the status page',
  neverAsk: 'We never ask for a password, a verification code or the secret of an access key.',
};
