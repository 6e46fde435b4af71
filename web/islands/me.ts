import { startWorklist } from './me/worklist.ts'

/** Script of the page “My work”. */
await startWorklist()
