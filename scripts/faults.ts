/** `npm run faults`: test/faults/main.ts, with its arguments. Scripts know nothing of the tests but where they are. */
import { join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'

await import(join(repositoryRoot, 'test', 'faults', 'main.ts'))
