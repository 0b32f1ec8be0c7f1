import { type ChannelCode, channelCodes } from './channels.ts';
import type { Language } from './languages.ts';

/** A bank that a channel pays to: its code at the channel, and its name. */
export interface Bank {
  readonly code: string;
  readonly name: string;
  /** The name in Latin letters, if `name` is not. */
  readonly latinName?: string;
  /** The pinyin initials of a Chinese name, by which people search for it. */
  readonly initials?: string;
}

function bank(code: string, name: string): Bank {
  return { code, name };
}

function chineseBank(code: string, name: string, latinName: string, initials: string): Bank {
  return { code, name, latinName, initials };
}

/** Banks of mainland China by their usual letter codes. */
const chinese: readonly Bank[] = [
  chineseBank('ICBC', '中国工商银行', 'Industrial and Commercial Bank of China', 'zggsyh'),
  chineseBank('ABC', '中国农业银行', 'Agricultural Bank of China', 'zgnyyh'),
  chineseBank('BOC', '中国银行', 'Bank of China', 'zgyh'),
  chineseBank('CCB', '中国建设银行', 'China Construction Bank', 'zgjsyh'),
  chineseBank('COMM', '交通银行', 'Bank of Communications', 'jtyh'),
  chineseBank('PSBC', '中国邮政储蓄银行', 'Postal Savings Bank of China', 'zgyzcxyh'),
  chineseBank('CMB', '招商银行', 'China Merchants Bank', 'zsyh'),
  chineseBank('CITIC', '中信银行', 'China CITIC Bank', 'zxyh'),
  chineseBank('SPDB', '浦发银行', 'Shanghai Pudong Development Bank', 'pfyh'),
  chineseBank('CIB', '兴业银行', 'Industrial Bank', 'xyyh'),
  chineseBank('CMBC', '中国民生银行', 'China Minsheng Bank', 'zgmsyh'),
  chineseBank('CEB', '中国光大银行', 'China Everbright Bank', 'zggdyh'),
  chineseBank('HXBANK', '华夏银行', 'Hua Xia Bank', 'hxyh'),
  chineseBank('PAB', '平安银行', 'Ping An Bank', 'payh'),
  chineseBank('GDB', '广发银行', 'China Guangfa Bank', 'gfyh'),
  chineseBank('CZBANK', '浙商银行', 'China Zheshang Bank', 'zsyh'),
  chineseBank('CBHB', '渤海银行', 'China Bohai Bank', 'bhyh'),
  chineseBank('EGBANK', '恒丰银行', 'Evergrowing Bank', 'hfyh'),
  chineseBank('BJBANK', '北京银行', 'Bank of Beijing', 'bjyh'),
  chineseBank('SHBANK', '上海银行', 'Bank of Shanghai', 'shyh'),
  chineseBank('NJCB', '南京银行', 'Bank of Nanjing', 'njyh'),
  chineseBank('NBBANK', '宁波银行', 'Bank of Ningbo', 'nbyh'),
  chineseBank('HZCB', '杭州银行', 'Bank of Hangzhou', 'hzyh'),
  chineseBank('JSBANK', '江苏银行', 'Bank of Jiangsu', 'jsyh'),
  chineseBank('HSBANK', '徽商银行', 'Huishang Bank', 'hsyh'),
  chineseBank('CSCB', '长沙银行', 'Bank of Changsha', 'csyh'),
  chineseBank('BOCD', '成都银行', 'Bank of Chengdu', 'cdyh'),
  chineseBank('CQBANK', '重庆银行', 'Bank of Chongqing', 'cqyh'),
  chineseBank('TCCB', '天津银行', 'Bank of Tianjin', 'tjyh'),
  chineseBank('HRBANK', '哈尔滨银行', 'Harbin Bank', 'hebyh'),
  chineseBank('DLB', '大连银行', 'Bank of Dalian', 'dlyh'),
  chineseBank('ZZBANK', '郑州银行', 'Bank of Zhengzhou', 'zzyh'),
  chineseBank('GCB', '广州银行', 'Bank of Guangzhou', 'gzyh'),
  chineseBank('XABANK', '西安银行', 'Bank of Xi’an', 'xayh'),
  chineseBank('BJRCB', '北京农商银行', 'Beijing Rural Commercial Bank', 'bjnsyh'),
  chineseBank('SHRCB', '上海农商银行', 'Shanghai Rural Commercial Bank', 'shnsyh'),
  chineseBank('SRCB', '深圳农村商业银行', 'Shenzhen Rural Commercial Bank', 'szncsyyh'),
  chineseBank('CRCBANK', '重庆农村商业银行', 'Chongqing Rural Commercial Bank', 'cqncsyyh'),
  chineseBank('WEBANK', '微众银行', 'WeBank', 'wzyh'),
  chineseBank('MYBANK', '网商银行', 'MYbank', 'wsyh'),
];

/** Vietnamese banks by their NAPAS number (BIN), as VietQR codes name them. */
const vietnamese: readonly Bank[] = [
  bank('970436', 'Vietcombank'),
  bank('970415', 'VietinBank'),
  bank('970418', 'BIDV'),
  bank('970405', 'Agribank'),
  bank('970407', 'Techcombank'),
  bank('970422', 'MB Bank'),
  bank('970416', 'ACB'),
  bank('970432', 'VPBank'),
  bank('970423', 'TPBank'),
  bank('970403', 'Sacombank'),
  bank('970437', 'HDBank'),
  bank('970441', 'VIB'),
  bank('970443', 'SHB'),
  bank('970426', 'MSB'),
  bank('970448', 'OCB'),
  bank('970431', 'Eximbank'),
  bank('970440', 'SeABank'),
  bank('970449', 'LPBank'),
  bank('970429', 'SCB'),
  bank('970428', 'Nam A Bank'),
  bank('970412', 'PVcomBank'),
  bank('970454', 'BVBank'),
  bank('970427', 'VietABank'),
  bank('970438', 'BaoViet Bank'),
  bank('970425', 'ABBANK'),
  bank('970409', 'Bac A Bank'),
  bank('970419', 'NCB'),
  bank('970452', 'KienlongBank'),
  bank('970424', 'Shinhan Bank'),
  bank('970457', 'Woori Bank'),
  bank('970442', 'Hong Leong Bank'),
  bank('970410', 'Standard Chartered Vietnam'),
  bank('970439', 'Public Bank Vietnam'),
  bank('970458', 'UOB Vietnam'),
  bank('970430', 'PGBank'),
  bank('970433', 'VietBank'),
  bank('970446', 'Co-opBank'),
  bank('970400', 'Saigonbank'),
  bank('970421', 'VRB'),
  bank('970434', 'Indovina Bank'),
];

/** The banks to choose from, for channels that require one. */
export const banksOf: Partial<Record<ChannelCode, readonly Bank[]>> = {
  CN_BANK: chinese,
  VN_NAPAS: vietnamese,
};

/** Finds a channel's bank by its code or by either of its names. */
export function bankNamed(channel: ChannelCode, text: string): Bank | undefined {
  const wanted = text.normalize('NFKC').trim().toLowerCase();
  if (wanted === '') return undefined;
  return banksOf[channel]?.find(({ code, name, latinName }) =>
    [code, name, latinName].some((one) => one?.toLowerCase() === wanted),
  );
}

/** Returns a bank's name in a language: the Latin name where there is one, except in Chinese. */
export function bankNameIn({ name, latinName }: Bank, language: Language): string {
  return language === 'zh-cn' ? name : (latinName ?? name);
}

/** Returns the names of all banks in a language, by their codes, which no two channels share. */
export function bankNamesIn(language: Language): Readonly<Record<string, string>> {
  const banks = channelCodes.flatMap((channel) => banksOf[channel] ?? []);
  return Object.fromEntries(banks.map((each) => [each.code, bankNameIn(each, language)]));
}
