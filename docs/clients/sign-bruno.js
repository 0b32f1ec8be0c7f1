// Signs each request before it is sent. The variables key and secret are those of your access key.
const hashing = require('crypto-js');

// One number per request, for bodies that need one.
bru.setVar('number', `BRU-${Date.now()}-${Math.floor(Math.random() * 1e6)}`);

const filled = (text) => bru.interpolate(text);
const pathWithQuery = filled(req.getUrl()).replace(/^https?:\/\/[^/]+/, '');
const raw = req.getBody({ raw: true });
// What was signed must be what is sent, so placeholders are filled in before.
const body = raw ? filled(typeof raw === 'string' ? raw : JSON.stringify(raw)) : '';
if (body) req.setBody(body, { raw: true });

const timestamp = String(Math.floor(Date.now() / 1000));
const nonce = hashing.lib.WordArray.random(16).toString();
const bodyHash = hashing.SHA256(body).toString();
const canonical = [req.getMethod(), pathWithQuery, timestamp, nonce, bodyHash].join('\n');
const signature = hashing.HmacSHA256(canonical, filled('{{secret}}')).toString();

const headers = {
  'X-Key': filled('{{key}}'),
  'X-Timestamp': timestamp,
  'X-Nonce': nonce,
  'X-Signature': signature,
};
for (const [name, value] of Object.entries(headers)) req.setHeader(name, value);
