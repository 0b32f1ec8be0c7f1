export const contact = {
  title: 'Contact Us',
  intro:
    'Contact our support team using any option below. For questions about an order, have its number ready.',
  kind: {
    email: 'Email',
    phone: 'Phone',
    whatsapp: 'WhatsApp',
    telegram: 'Telegram',
    wechat: 'WeChat',
    website: 'Website',
  },
  empty: 'No contact details have been published yet. Please contact your account manager.',
  yours: 'When you contact us, include',
  merchant: 'Merchant',
  signedInAs: 'Signed in as',
  trouble: 'Having trouble?',
  toStatus: 'View status page',
  neverAsk: 'We never ask for your password, verification code or access key secret.',
};
