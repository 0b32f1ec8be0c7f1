import type { Check } from './check.ts';
import { apiTexts, documentTexts, operatorTexts } from './glossary-texts.ts';
import { loadPhrases } from './phrases.ts';

/** Words to avoid, and the glossary's word for the concept (docs/glossary.md). */
export interface Avoided {
  /** Matches the words to avoid. */
  words: RegExp;
  use: string;
  /** Keys of phrases where the word is correct: they quote the specification, or mean something else. */
  except?: readonly string[];
  /** Whether only phrases must avoid it; documents may use it in its everyday meaning. */
  isPhrasesOnly?: boolean;
}

/** Words to avoid, by language. */
export const avoided: Readonly<Record<string, readonly Avoided[]>> = {
  en: [
    { words: /\bshops?\b/i, use: 'merchant' },
    { words: /\bprograms?\b/i, use: 'system', isPhrasesOnly: true },
    { words: /\bcashier\b/i, use: 'checkout' },
    { words: /\bslips?\b/i, use: 'receipt' },
    {
      words: /\bour staff\b|\bcustomer service\b/i,
      use: 'our support team',
      except: ['payouts.noChannel', 'errors.channel_closed'],
    },
    { words: /\bhome currency\b/i, use: 'local currency' },
    { words: /\btransaction id\b|transaction of the chain/i, use: 'transaction hash' },
    { words: /\bsum (of|in)\b/i, use: 'total', isPhrasesOnly: true },
    { words: /\bnotices?\b/i, use: 'notification', isPhrasesOnly: true },
    { words: /\bunder way\b/i, use: 'in progress' },
    { words: /\b(leave|left) out\b/i, use: 'exclude' },
    { words: /\bimpaired\b|\bhas? trouble\b/i, use: 'degraded' },
    { words: /\bcolour/i, use: 'color' },
    { words: /\b(nobody|by itself)\b/i, use: 'plain product English', isPhrasesOnly: true },
    { words: /\b(told|let in)\b/i, use: 'plain product English' },
  ],
  'zh-cn': [
    { words: /程序/, use: '商户系统' },
    { words: /可用资金/, use: '可用余额' },
    { words: /冻结资金/, use: '冻结金额' },
    { words: /第二步|二次验证|双因素/, use: '双重验证' },
    { words: /工作人员|我们的客服/, use: '客服' },
    { words: /控制台/, use: '商户后台' },
    { words: /账本/, use: '账务' },
    { words: /订单数|退款数/, use: '笔数' },
    { words: /上报/, use: '返回' },
    { words: /帐/, use: '账' },
  ],
  vi: [
    { words: /hai yếu tố|bước hai/i, use: 'xác thực hai lớp' },
    { words: /mã xác minh/i, use: 'mã xác thực', except: ['validation.codeRequired'] },
    { words: /chương trình/i, use: 'hệ thống' },
    { words: /nhân viên của chúng tôi|liên hệ với chúng tôi/i, use: 'bộ phận hỗ trợ' },
    { words: /địa chỉ callback/i, use: 'URL callback' },
    { words: /bảng điều khiển/i, use: 'Trang quản trị' },
    { words: /ngày đầu|ngày cuối/i, use: 'Từ ngày, Đến ngày' },
    { words: /trục trặc/i, use: 'gặp sự cố' },
  ],
};

/** Words to avoid in documents, operator commands and API summaries, besides those for phrases only. */
const avoidedInProse: readonly Avoided[] = [
  ...(avoided.en ?? []).filter(({ isPhrasesOnly }) => !isPhrasesOnly),
  {
    words: /\b(merchant|shop)s?['’]?s? (own )?programs?\b|\byour programs?\b/i,
    use: 'the merchant’s system',
  },
  { words: /\b(an?|the|each|every|of|and|two) notices?\b/i, use: 'notification' },
  // A member of our staff works in the back office; the commands and the accounts are named after them.
  { words: /\bstaff\b(?! (members?|accounts?|create|list)\b)/i, use: 'operator' },
  { words: /\benrolment\b(?!-code)/i, use: 'enrollment' },
  { words: /\b(licence|authoris|serialis|recognis|materialis|neighbour)/i, use: 'American spelling' },
  {
    words: /\b(asked of|goes on(?! the)|stands? in (nobody|its|the|your)\S* way|comes? to (its|an) end)\b/i,
    use: 'plain English',
  },
];

/** Checks phrases, documents, operator commands and API summaries against the glossary. */
export const glossary: Check = {
  name: 'glossary',
  run: async () => {
    const phrases = await loadPhrases();
    const sources = {
      documents: documentTexts(),
      'operator commands': operatorTexts(),
      calls: await apiTexts(),
    };
    const empty = Object.entries(sources).filter(([, texts]) => texts.size === 0);
    return {
      problems: [
        ...[...phrases].flatMap(([language, texts]) => phraseProblems(language, texts)),
        ...Object.values(sources).flatMap(proseProblems),
        ...empty.map(([name]) => `found no ${name}: update the paths in glossary-texts.ts`),
      ],
      note: `${Object.values(avoided).flat().length} concepts`,
    };
  },
};

/** Lists a language's phrases that use an avoided word, each with the word to use instead. */
export function phraseProblems(language: string, phrases: ReadonlyMap<string, string>): string[] {
  return problemsIn(phrases, avoided[language] ?? []).map((problem) => `${language} ${problem}`);
}

/** Lists paragraphs, operator texts or summaries that use an avoided word. */
export function proseProblems(texts: ReadonlyMap<string, string>): string[] {
  return problemsIn(texts, avoidedInProse);
}

function problemsIn(texts: ReadonlyMap<string, string>, list: readonly Avoided[]): string[] {
  return list.flatMap(({ words, use, except = [] }) =>
    [...texts]
      .filter(([key, text]) => words.test(text.replaceAll(/\{\{\w+\}\}/g, '')) && !except.includes(key))
      .map(([key, text]) => `${key}: “${words.exec(text)?.[0]}”: say “${use}”`),
  );
}
