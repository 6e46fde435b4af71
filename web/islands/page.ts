import { find } from './dom.ts'
import { startActions } from './page/actions.ts'
import { startCopying } from './page/copy.ts'
import { hasOpenWrites } from './page/open-flag.ts'
import { startTimes } from './page/times.ts'
import { shortAddress, watchSession } from './session.ts'

/** The island of every page: what is needed before a wallet is. Everything else is loaded at its first use. */
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

if (hasOpenWrites()) {
  const { resumeWrites } = await import('./write/resume.ts')
  await resumeWrites()
}
