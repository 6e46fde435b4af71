import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { installPackages } from './install-packages.ts'
import { unitDirectory } from './unit-file.ts'

/** Of ten: 10 is a unit without any bound, and most services of a distribution have more than 9. */
const MOST_EXPOSED = 2
const units = readdirSync(unitDirectory).filter((name) => /[.](service|timer)$/.test(name))
const services = units.filter((name) => name.endsWith('.service'))

function analyze(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, {
    // The colon: behind it come the directories of the system.
    env: { PATH: process.env.PATH, SYSTEMD_UNIT_PATH: `${unitDirectory}:`, SYSTEMD_COLORS: '0' },
    encoding: 'utf8',
  })
  return { status, output: `${stdout}${stderr}` }
}

beforeAll(() => installPackages(), 600_000)

test('systemd finds nothing wrong in the units but a PostgreSQL that is not here', () => {
  const { output } = analyze('verify', ...units.map((name) => join(unitDirectory, name)))
  const complaints = output.split('\n').filter((line) => line.includes('task-market'))
  expect(complaints.filter((line) => !/postgres is not executable/.test(line))).toEqual([])
})

test.each(services)('%s is exposed little', (name) => {
  const { output } = analyze('security', '--offline=yes', join(unitDirectory, name))
  const [, level] = /Overall exposure level for \S+: ([\d.]+)/.exec(output) ?? []
  console.log(`${name}: ${level}`)
  expect(Number(level)).toBeLessThan(MOST_EXPOSED)
})
