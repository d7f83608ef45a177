/* global document, Storage */
/**
 * Shows the API reference. For a reader who is signed in to the console, it fills in a short-lived access token. Tokens stay in the memory
 * of this page: the renderer would keep them in the browser's storage.
 */
const TOKENS = 'TryIt_securitySchemeValues';

let tokens = null;
const { getItem, setItem } = Storage.prototype;
Storage.prototype.getItem = function (name) {
  return name === TOKENS ? tokens : getItem.call(this, name);
};
Storage.prototype.setItem = function (name, text) {
  if (name === TOKENS) tokens = text;
  else setItem.call(this, name, text);
};

try {
  const headers = { 'X-Requested-With': 'console' };
  const response = await fetch('/console/session/token', { method: 'POST', headers });
  // 401: the reader is not signed in.
  if (response.ok) tokens = JSON.stringify({ token: (await response.json()).access_token });
} catch {
  // The reader can still paste a token.
}

const reference = document.createElement('elements-api');
for (const [name, value] of Object.entries({
  apiDescriptionUrl: '/openapi.json',
  router: 'hash',
  layout: 'responsive',
  tryItCredentialsPolicy: 'omit',
}))
  reference.setAttribute(name, value);
document.querySelector('main').append(reference);
