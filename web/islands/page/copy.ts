/** Buttons with `data-copy` copy that text and say so for a moment; without a value, their title or their text. */
export function startCopying(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy], button.copy') : null
    if (button === null) return
    const { textContent: label } = button
    const text = button.dataset.copy || button.title || label || ''
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      return
    }
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = label
    }, 1_200)
  })
}
