import { escapeHidden } from '../../api/text/escape-hidden.ts'
import { startKeeper } from './keeper.ts'
import { readKeeperSettings } from './settings.ts'

/** `npm run standby-keeper`: keeps the sessions of a standby until SIGINT or SIGTERM (exit 0). */
const log = (line: string) => console.log(escapeHidden(`standby: ${line}`))

try {
  const keeper = startKeeper({ ...readKeeperSettings(process.env), log })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await keeper.stop()
      process.exit(0)
    })
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
