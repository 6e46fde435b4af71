import { findNearest } from '../protocol/text/find-nearest.ts'

/**
 * The minimum length of a name, in letters, for which a text with two wrong letters still counts as a misspelling of
 * the name. For a shorter name, only a text with one wrong letter counts.
 */
const LONG_NAME = 10

/**
 * Variable names that shells, operating systems and tools set. Some of them resemble a setting; for example, HOME
 * resembles HOST.
 */
const foreignNames = new Set(
  [
    // Shells and terminals.
    'HOME PATH PWD OLDPWD SHELL SHLVL USER USERNAME LOGNAME HOSTNAME HOSTTYPE OSTYPE MACHTYPE LANG LANGUAGE TERM',
    'TERM_PROGRAM COLORTERM COLUMNS LINES EDITOR VISUAL PAGER MAIL TZ TMPDIR TEMP TMP PS1 IFS MANPATH INFOPATH DISPLAY',
    'WAYLAND_DISPLAY HISTFILE LS_COLORS NO_COLOR FORCE_COLOR DEBUG DEBIAN_FRONTEND _ INIT_CWD',
    // systemd.
    'INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET WATCHDOG_PID WATCHDOG_USEC MAINPID MANAGERPID LISTEN_FDS LISTEN_PID',
    'LISTEN_FDNAMES RUNTIME_DIRECTORY STATE_DIRECTORY CACHE_DIRECTORY LOGS_DIRECTORY CONFIGURATION_DIRECTORY',
    'CREDENTIALS_DIRECTORY MEMORY_PRESSURE_WATCH MEMORY_PRESSURE_WRITE FDSTORE REMOTE_ADDR REMOTE_PORT TRIGGER_UNIT',
    'LISTEN_PIDFDID MONITOR_SERVICE_RESULT MONITOR_EXIT_CODE MONITOR_EXIT_STATUS MONITOR_INVOCATION_ID MONITOR_UNIT',
    'SERVICE_RESULT EXIT_CODE EXIT_STATUS PIDFILE',
    // Node, proxies, certificates, builds, clouds.
    'NODE COLOR CI HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR SOURCE_DATE_EPOCH',
    'MALLOC_ARENA_MAX LD_PRELOAD LD_LIBRARY_PATH DEV PROD MODE SSR TEST BASE_URL',
    // Commands of this project that are not programs in `programs`.
    'FORK_URL LOCAL_NETWORK LOCAL_CHAIN LOCAL_DIRECTORY RPC_PARALLEL HEADS_URL TEST_DEPTH TEST_REPORT_FILE OWNER_KEY',
    'DEPLOYER_KEY ETHERSCAN_API_KEY SOLC_PACKAGE DATABASE_SCHEMA',
  ].flatMap((names) => names.split(' ')),
)
/** Matches groups of foreign variable names by their beginnings. */
const foreignFamilies =
  /^(PG[A-Z_]+$|LC_|XDG_|SSH_|DBUS_|SYSTEMD_|SUDO_|GPG_|KUBERNETES_|AWS_|ECS_|AZURE_|MSI_|IDENTITY_|GOOGLE_|GCLOUD_|GCE_|GCP_|K_|NODE_|NPM_|npm_|NVM_|VOLTA_|COREPACK_|DOCKER_|BUILDKIT_|GITHUB_|GITLAB_|RUNNER_|VITEST|FOUNDRY_|PONDER_|TASK_MARKET_|BASH_|ZSH_|GIT_|YARN_|DENO_|BUN_|PYTHON|PYENV_|PIP_|CLOUDSDK_|CLOUD_SDK_|RUST|CARGO_|GRPC_|VIRTUAL_ENV)/
/** Matches the variables that Kubernetes and Docker set for each service, such as `REDIS_PORT_6379_TCP_ADDR`. */
const serviceLinks = /_(SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/

/** Reports whether a shell, an operating system, a cloud or a tool sets variables of this name. */
export function isForeignName(name: string): boolean {
  return foreignNames.has(name) || foreignFamilies.test(name) || serviceLinks.test(name) || /[^A-Z0-9_]/.test(name)
}

/**
 * Finds the setting that a misspelt name probably means; null if there is none. One letter may be wrong, or two in a
 * name with at least ten letters.
 */
export function findNearName(name: string, settings: readonly string[]): string | null {
  return findNearest(name, settings, name.length >= LONG_NAME ? 2 : 1)
}
