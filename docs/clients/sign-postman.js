// Signs each request before it is sent. The variables key and secret are those of your access key.
const hashing = require('crypto-js');

// One number per request, for bodies that need one.
pm.variables.set('number', `PM-${Date.now()}-${Math.floor(Math.random() * 1e6)}`);

const call = pm.request;
const filled = (text) => pm.variables.replaceIn(text);
const pathWithQuery = filled(call.url.getPathWithQuery());
const hasBody = call.body?.raw;
// What was signed must be what is sent, so placeholders are filled in before.
const body = hasBody ? filled(call.body.raw) : '';
if (hasBody) call.body.raw = body;

const timestamp = String(Math.floor(Date.now() / 1000));
const nonce = hashing.lib.WordArray.random(16).toString();
const bodyHash = hashing.SHA256(body).toString();
const canonical = [call.method, pathWithQuery, timestamp, nonce, bodyHash].join('\n');
const signature = hashing.HmacSHA256(canonical, filled('{{secret}}')).toString();

const headers = {
  'X-Key': filled('{{key}}'),
  'X-Timestamp': timestamp,
  'X-Nonce': nonce,
  'X-Signature': signature,
};
for (const [key, value] of Object.entries(headers)) call.headers.upsert({ key, value });
