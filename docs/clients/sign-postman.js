// Signs each request before it is sent. The variables key and secret are those of your access key.
const CryptoJS = require('crypto-js');

// One number per request, for bodies that need one.
pm.variables.set('number', `PM-${Date.now()}-${Math.floor(Math.random() * 1e6)}`);

const { request } = pm;
const filled = (text) => pm.variables.replaceIn(text);
const pathWithQuery = filled(request.url.getPathWithQuery());
const hasBody = request.body?.raw;
// What was signed must be what is sent, so placeholders are filled in before.
const body = hasBody ? filled(request.body.raw) : '';
if (hasBody) request.body.raw = body;

const timestamp = String(Math.floor(Date.now() / 1000));
const nonce = CryptoJS.lib.WordArray.random(16).toString();
const bodyHash = CryptoJS.SHA256(body).toString();
const canonical = [request.method, pathWithQuery, timestamp, nonce, bodyHash].join('\n');
const signature = CryptoJS.HmacSHA256(canonical, filled('{{secret}}')).toString();

const headers = {
  'X-Key': filled('{{key}}'),
  'X-Timestamp': timestamp,
  'X-Nonce': nonce,
  'X-Signature': signature,
};
for (const [key, value] of Object.entries(headers)) request.headers.upsert({ key, value });
