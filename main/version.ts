declare const __VERSION__: string;

/** The version in package.json, put in by the build. */
export const version = __VERSION__;
