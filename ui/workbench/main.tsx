import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../src/theme/tokens.css';
import '../src/theme/base.css';
import { chosenLanguage, startI18n } from '../src/language/i18n.ts';
import { startTheme } from '../src/theme/theme-dom.ts';
import { Workbench } from './workbench.tsx';

const element = document.getElementById('root');
if (element) {
  startTheme();
  await startI18n(chosenLanguage('en'));
  createRoot(element).render(
    <StrictMode>
      <Workbench />
    </StrictMode>,
  );
}
