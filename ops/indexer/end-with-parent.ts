/**
 * A module preloaded into Ponder that ends Ponder cleanly after the supervisor process has ended. Without the module,
 * two Ponder processes could overwrite each other's rows in one schema.
 */
const supervisor = process.ppid

setInterval(() => {
  if (process.ppid !== supervisor) process.kill(process.pid, 'SIGINT')
}, 250).unref()
