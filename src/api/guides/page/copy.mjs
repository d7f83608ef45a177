/** A button at each example that copies it. Browsers allow it only over HTTPS and from localhost. */
/* global document, navigator, setTimeout */

const SHOWN_MS = 2_000;

function buttonFor(block) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const label = await navigator.clipboard.writeText(block.textContent).then(
      () => 'Copied',
      () => 'Not copied',
    );
    button.textContent = label;
    setTimeout(() => {
      button.textContent = 'Copy';
    }, SHOWN_MS);
  });
  return button;
}

if (navigator.clipboard) {
  for (const block of document.querySelectorAll('main pre')) {
    const frame = document.createElement('div');
    frame.className = 'example';
    block.replaceWith(frame);
    frame.append(block, buttonFor(block));
  }
}
