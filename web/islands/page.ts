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

/** Makes each button with `data-copy` copy the value of this attribute when it is clicked, and show `Copied` for a moment. */
function startCopying(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null
    if (button === null) return
    const { textContent: label } = button
    try {
      await navigator.clipboard.writeText(button.dataset.copy ?? '')
    } catch {
      return
    }
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = label
    }, 1_200)
  })
}
