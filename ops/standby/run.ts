import { escapeHidden } from '../../api/text/escape-hidden.ts'
import { refuseStart, warnOfUnknownNames } from '../../settings/refuse-start.ts'
import { startKeeper } from './keeper.ts'
import { readKeeperSettings } from './settings.ts'

/** `npm run standby-keeper`: keeps the sessions of a standby until SIGINT or SIGTERM (exit 0). */
const log = (line: string) => console.log(escapeHidden(`standby: ${line}`))

try {
  const keeper = startKeeper({ ...readKeeperSettings(process.env), log })
  warnOfUnknownNames('standby-keeper')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await keeper.stop()
      process.exit(0)
    })
  }
} catch (error) {
  refuseStart('standby-keeper', error)
}
