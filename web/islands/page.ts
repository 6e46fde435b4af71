import { find } from './dom.ts'
import { startActions } from './page/actions.ts'
import { hasOpenWrites } from './page/open-flag.ts'
import { keepMain, servedMain } from './page/served.ts'
import { startTimes } from './page/times.ts'
import { shortAddress, watchSession } from './session.ts'

/** Script of every page, with the functions that require no wallet. All other scripts are loaded at their first use. */
keepMain(find('main'))
startCopying()
startTimes()
startActions()

const button = find<HTMLButtonElement>('[data-connect]')
if (button !== null) {
  watchSession((session) => {
    button.textContent = session === null ? 'Connect' : shortAddress(session.address)
    button.classList.toggle('hex', session !== null)
    button.classList.toggle('quiet', session !== null)
    button.title = session === null ? '' : `${session.name}: ${session.address}`
  })
  button.addEventListener('click', async () => {
    const { showConnection } = await import('./wallet/connection-dialog.ts')
    await showConnection()
  })
}

if (find('[data-clock]') !== null) {
  const { startClock } = await import('./page/clock.ts')
  startClock()
}

if (servedMain() !== null) void import('./page/live.ts').then(({ startLive }) => startLive())

if (hasOpenWrites()) {
  const { resumeWrites } = await import('./write/resume.ts')
  await resumeWrites()
}

/**
 * Makes each button with `data-copy`, or with the class `copy`, copy a text when it is clicked, and then show `Copied`
 * for a moment. The text is the first of these that is not empty: the value of `data-copy`, the button's title, the
 * button's label.
 */
function startCopying(): void {
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
