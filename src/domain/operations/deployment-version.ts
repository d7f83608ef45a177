/** What a release is called: it stands in queries and command lines. */
export const deploymentVersionPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
