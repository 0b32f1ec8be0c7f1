import { describe, expect, it } from 'vitest';
import { isDamagedCode, readPasted } from './paste.rules.ts';

describe('readPasted', () => {
  it('reads labeled lines', () => {
    const text =
      '户名：王芳\n账号：6222 0212 3456 7890 128\n开户行：中国工商银行\n支行：北京朝阳支行\n金额：¥12,345.60';
    expect(readPasted(text, 'CN_BANK')).toEqual({
      payee: '王芳',
      payeeAccount: '6222 0212 3456 7890 128',
      bank: 'ICBC',
      bankName: '中国工商银行',
      branchName: '北京朝阳支行',
      amount: '12345.60',
    });
  });

  it('takes the bank of the bank line, and of several names in it the longest', () => {
    expect(readPasted('Name: Wang Fang\nBank: Postal Savings Bank of China', 'CN_BANK')).toMatchObject({
      bank: 'PSBC',
      bankName: 'Postal Savings Bank of China',
    });
    expect(readPasted('户名：中国银行食堂管理公司\n开户行：招商银行', 'CN_BANK')).toMatchObject({
      bank: 'CMB',
      bankName: '招商银行',
    });
    expect(readPasted('中国邮政储蓄银行', 'CN_BANK')).toMatchObject({ bank: 'PSBC' });
  });

  it('recognizes lines without labels by their format', () => {
    expect(readPasted('NGUYEN VAN A\n0011001234567\nVietcombank\n500000', 'VN_NAPAS')).toEqual({
      payee: 'NGUYEN VAN A',
      payeeAccount: '0011001234567',
      bank: '970436',
      amount: '500000',
    });
  });

  it('reads bank, account, amount and purpose from a VietQR code', () => {
    const code =
      '00020101021238570010A00000072701270006970436011300110012345670208QRIBFTTA53037045406180000540618000058' +
      '02VN62340107NPS68690819thanh toan don hang6304A203';
    const valid = withChecksum(
      '00020101021238570010A000000727012700069704360113001100123456702 08QRIBFTTA'.replace(' ', '') +
        '5303704540618000058' +
        '02VN62230819thanh toan don hang',
    );
    expect(readPasted(valid, 'VN_NAPAS')).toEqual({
      bank: '970436',
      payeeAccount: '0011001234567',
      amount: '180000',
      remark: 'thanh toan don hang',
    });
    // A code with a wrong checksum is ignored.
    expect(readPasted(code, 'VN_NAPAS')).toEqual({});
    expect([code, valid, '???'].map(isDamagedCode)).toEqual([true, false, false]);
  });

  it('reads key, key type, amount and name from a PIX code', () => {
    const code = withChecksum(
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865406123.455802BR' +
        '5913Fulano de Tal6008BRASILIA62070503***',
    );
    expect(readPasted(code, 'BR_PIX')).toEqual({
      payee: 'Fulano de Tal',
      payeeAccount: '123e4567-e12b-12d1-a456-426655440000',
      accountType: 'EVP',
      amount: '123.45',
    });
  });

  it('reads account, IFSC, name and amount from a UPI link', () => {
    const link = 'upi://pay?pa=123456789012@HDFC0000001.ifsc.npci&pn=Ravi%20Kumar&am=250.00&tn=rent';
    expect(readPasted(link, 'IN_IMPS')).toEqual({
      payee: 'Ravi Kumar',
      payeeAccount: '123456789012',
      ifsc: 'HDFC0000001',
      amount: '250.00',
      remark: 'rent',
    });
  });

  it('finds nothing in other text', () => expect(readPasted('???', 'CN_BANK')).toEqual({}));
});

/** Appends the checksum (CRC-16/CCITT-FALSE) to an EMV code, bit by bit as in the standard's own example. */
function withChecksum(body: string): string {
  const text = `${body}6304`;
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    for (let bit = 7; bit >= 0; bit--) {
      const isOne = ((byte >> bit) & 1) ^ (crc >> 15);
      crc = (crc << 1) & 0xffff;
      if (isOne) crc ^= 0x1021;
    }
  }
  return text + crc.toString(16).toUpperCase().padStart(4, '0');
}
