import { expiredReason } from './collections.booking.ts';
import type { Collection } from './collections.sql.ts';
import { type Html, html } from './html.ts';
import { type Language, languages, localeByLanguage } from './language.ts';
import { formatAmount } from './money.ts';
import { payPageCss } from './pay-page.css.ts';
import { type PayPagePhrases, payPagePhrases } from './pay-page.phrases.ts';

/** The state of an order on the payer's page; `unknown` if there is none. */
export type PayPageState = keyof PayPagePhrases['title'];

/** The inputs of a page besides the order. */
export type PayPageFrame = { language: Language; nonce: string; nowMs: number };

const markByState: Readonly<Record<PayPageState, string | undefined>> = {
  payable: undefined,
  processing: '…',
  paid: '✓',
  refused: '✕',
  cancelled: '✕',
  expired: '✕',
  unknown: '?',
};

/** Returns the state that the payer sees: a confirmed payment that is not booked yet is processing. */
export function payPageState({ status, reason, confirmedAt }: Collection): PayPageState {
  if (status === 'pending') return confirmedAt === null ? 'payable' : 'processing';
  return status === 'cancelled' && reason === expiredReason ? 'expired' : status;
}

/**
 * Renders the page of an order, or of none. Escapes every text of the order; style and script carry the
 * nonce.
 */
export function renderPayPage(collection: Collection | undefined, frame: PayPageFrame): string {
  const { language, nonce } = frame;
  const phrases = payPagePhrases[language];
  const state = collection === undefined ? 'unknown' : payPageState(collection);
  const mark = markByState[state];
  return html`<!doctype html>
<html lang="${localeByLanguage[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${phrases.title[state]} · ${phrases.bank}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${payPageCss}</style>
</head>
<body>
<header>${phrases.bank} · ${phrases.noRealMoney}</header>
<main>
${mark === undefined ? undefined : html`<div class="mark ${state}" aria-hidden="true">${mark}</div>`}
<h1>${phrases.title[state]}</h1>
${reasonLine(collection, phrases)}
<p class="muted">${phrases.hint[state]}</p>
${collection === undefined ? undefined : orderPart(collection, state, frame)}
</main>
<nav>${languages.map((other) => languageLink(other, language))}</nav>
${state === 'processing' ? html`<script nonce="${nonce}">setTimeout(() => location.reload(), 2000);</script>` : undefined}
</body>
</html>
`.text;
}

function orderPart(collection: Collection, state: PayPageState, { language, nowMs }: PayPageFrame): Html {
  const phrases = payPagePhrases[language];
  const { amountMinor, currency, description, reference, expiresAt } = collection;
  const isPayable = state === 'payable';
  const isLate = isPayable && nowMs > Date.parse(expiresAt);
  return html`<p class="amount">${formatAmount(amountMinor, currency, localeByLanguage[language])}</p>
${isLate ? html`<p class="late">${phrases.late}</p>` : undefined}
<dl>
${description === null ? undefined : detail(phrases.description, description)}
${detail(phrases.reference, reference)}
${isPayable ? detail(phrases.payBefore, moment(expiresAt, language)) : undefined}
</dl>
${isPayable ? payerForms(collection, language) : afterwards(collection, state, language)}`;
}

// URLs are relative, so that the page works behind a proxy that serves it under a longer path.
function payerForms({ id }: Collection, language: Language): Html {
  const phrases = payPagePhrases[language];
  const languageField = html`<input type="hidden" name="lang" value="${language}">`;
  return html`<form method="post" action="${id}/confirm">${languageField}<button>${phrases.confirm}</button></form>
<form method="post" action="${id}/decline">${languageField}<button class="plain">${phrases.decline}</button></form>`;
}

function afterwards({ id, returnUrl }: Collection, state: PayPageState, language: Language): Html {
  const phrases = payPagePhrases[language];
  const back =
    returnUrl === null ? undefined : html`<a class="button" href="${returnUrl}">${phrases.back}</a>`;
  const again = html`<a class="button plain" href="${id}?lang=${language}">${phrases.checkAgain}</a>`;
  return html`${back}${state === 'processing' ? again : undefined}`;
}

function reasonLine(collection: Collection | undefined, phrases: PayPagePhrases): Html | undefined {
  const texts: Readonly<Record<string, string>> = phrases.reason;
  const text = collection?.reason ? texts[collection.reason] : undefined;
  return text === undefined ? undefined : html`<p>${text}</p>`;
}

function detail(label: string, value: string): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function moment(iso: string, language: Language): string {
  const format = new Intl.DateTimeFormat(localeByLanguage[language], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(new Date(iso))} (UTC)`;
}

function languageLink(language: Language, current: Language): Html {
  const { languageName } = payPagePhrases[language];
  const lang = localeByLanguage[language];
  if (language === current) {
    return html`<a href="?lang=${language}" lang="${lang}" aria-current="true">${languageName}</a>`;
  }
  return html`<a href="?lang=${language}" lang="${lang}">${languageName}</a>`;
}
