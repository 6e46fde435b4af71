/** Preloaded into Ponder: writes the processor time that it has used by its end, seconds. */
import { writeFileSync } from 'node:fs'

const file = process.env.CPU_FILE
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  if (file !== undefined) writeFileSync(file, String((user + system) / 1e6))
})
