import { useState } from 'react';
import { createRoot } from 'react-dom/client';

/** A bare React page with two inputs; the console's budgets are multiples of its cost. */
function Yardstick() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  return (
    <form>
      <input aria-label="Email" value={email} onChange={(event) => setEmail(event.target.value)} />
      <input
        aria-label="Password"
        type="password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </form>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<Yardstick />);
