import '../../src/theme/tokens.css';
import '../../src/theme/base.css';
import { afterEach, beforeAll } from 'vitest';
import { startI18n } from '../../src/language/i18n.ts';
import { removeShown } from './show.tsx';

beforeAll(() => startI18n('en'));

afterEach(removeShown);
