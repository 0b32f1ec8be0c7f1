import { expect, it } from 'vitest';
import { operatorProgram } from './commands.ts';
import { emailOption, noteOption, reasonOption } from './parse.ts';

it('reads email addresses as accounts store them', () => {
  expect(emailOption(' Ann@Acme.TEST ')).toBe('ann@acme.test');
  for (const text of ['', 'ann', 'ann@', 'ann@acme', 'a b@acme.test', '<ann@acme.test>'])
    expect(() => emailOption(text), text).toThrow('an email address, such as ann@acme.test');
});

it.each([
  ['staff', 'create', '--name', 'Ann', '--role', 'SUPPORT'],
  ['staff', 'disable'],
  ['user', 'suspend', '--reason', 'left'],
  ['user', 'unlock'],
])('%s %s says what is wrong with an email address in words', async (...command) => {
  const said: string[] = [];
  const program = operatorProgram();
  const all = [program, ...program.commands.flatMap((each) => [each, ...each.commands])];
  for (const each of all) each.exitOverride().configureOutput({ writeErr: (text) => void said.push(text) });
  const running = program.parseAsync(['node', 'operator', ...command, '--email', 'bad']);
  await expect(running).rejects.toThrow(/argument 'bad' is invalid\. an email address/);
  expect(said.join('')).not.toContain('pattern');
});

it('reads reasons that can be seen', () => {
  for (const read of [noteOption, reasonOption]) {
    expect(read(' owner called ')).toBe('owner called');
    for (const text of ['', ' ', '\u200b', '\u202e\u2060', 'two\nlines', 'x'.repeat(501)])
      expect(() => read(text), JSON.stringify(text)).toThrow('on one line');
  }
});
