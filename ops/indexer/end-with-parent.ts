/**
 * A module preloaded into Ponder. It ends Ponder cleanly when the supervisor process has ended for any reason. Without
 * this module, two Ponder processes could overwrite each other's rows in one schema.
 */
const supervisor = process.ppid

setInterval(() => {
  if (process.ppid !== supervisor) process.kill(process.pid, 'SIGINT')
}, 250).unref()
