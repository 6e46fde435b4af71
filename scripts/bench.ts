/**
 * `npm run bench -- <name> [arguments]`: runs test/bench/<name>.ts. Without a name, it lists the benchmarks. Benchmarks
 * are not part of the tests. Run them one at a time on a machine without other load.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'
import { compileContracts } from './contracts/compile.ts'

const directory = join(repositoryRoot, 'test', 'bench')
const [name] = process.argv.splice(2, 1)
const names = existsSync(directory)
  ? readdirSync(directory)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => file.slice(0, -3))
  : []

if (name !== undefined && names.includes(name)) {
  // A benchmark deploys what it finds compiled, and in a fresh clone nothing is.
  await compileContracts()
  await import(join(directory, `${name}.ts`))
} else {
  console.log(names.length === 0 ? 'there is no benchmark yet' : `benchmarks: ${names.join(', ')}`)
  process.exitCode = name === undefined ? 0 : 1
}
