export const contact = {
  title: 'Contact us',
  intro:
    'Our support team answers here. Keep the order number at hand where your question is about an order.',
  kind: {
    email: 'Email',
    phone: 'Phone',
    whatsapp: 'WhatsApp',
    telegram: 'Telegram',
    wechat: 'WeChat',
    website: 'Website',
  },
  empty: 'No way to reach us has been published yet. Please ask whoever opened your account.',
  yours: 'Please tell us',
  merchant: 'Merchant',
  signedInAs: 'Signed in as',
  neverAsk: 'We never ask for a password, a verification code or the secret of an access key.',
};
