# SPDX-License-Identifier: BSL-1.0
"""What the formats of containers allow, as far as cordon says anything in them: every key that is not named here is a
mistake. After config.md and config-linux.md of the OCI runtime specification 1.1, the Docker Engine API 1.44, and the
Kubernetes API 1.33."""

import jsonschema

STRING, NUMBER, FLAG = {"type": "string", "minLength": 1}, {"type": "integer", "minimum": 0}, {"type": "boolean"}
PLACE = {"type": "string", "pattern": "^/"}
LABEL = {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "maxLength": 63}
QUANTITY = {"type": "string", "pattern": "^[1-9][0-9]*$"}
NO = {"const": False}
EMPTY = {"type": "array", "maxItems": 0}


def thing(optional=None, **required):
    return {"type": "object", "required": list(required), "properties": {**required, **(optional or {})},
            "additionalProperties": False}


def list_of(what, least=0):
    return {"type": "array", "items": what, "minItems": least}


def one_of(*words):
    return {"enum": list(words)}


ARGUMENT = thing({"valueTwo": NUMBER}, index={"type": "integer", "minimum": 0, "maximum": 5}, value=NUMBER,
                 op=one_of("SCMP_CMP_NE", "SCMP_CMP_LT", "SCMP_CMP_LE", "SCMP_CMP_EQ", "SCMP_CMP_GE", "SCMP_CMP_GT",
                           "SCMP_CMP_MASKED_EQ"))
ACTION = one_of("SCMP_ACT_ALLOW", "SCMP_ACT_ERRNO")
SECCOMP = thing({"defaultErrnoRet": NUMBER}, defaultAction=ACTION, architectures=list_of(
    one_of("SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64", "SCMP_ARCH_RISCV64"), 1), syscalls=list_of(
        thing({"errnoRet": NUMBER, "args": list_of(ARGUMENT, 1)}, names=list_of(STRING, 1), action=ACTION), 1))

OCI = thing(
    ociVersion={"type": "string", "pattern": r"^\d+\.\d+\.\d+$"},
    process=thing(terminal=FLAG, user=thing(uid=NUMBER, gid=NUMBER), args=list_of(STRING, 1), cwd=PLACE,
                  env=list_of({"type": "string", "pattern": "^[^=]+="}), noNewPrivileges={"const": True},
                  capabilities=thing(bounding=EMPTY, effective=EMPTY, inheritable=EMPTY, permitted=EMPTY,
                                     ambient=EMPTY),
                  rlimits=list_of(thing(type={"type": "string", "pattern": "^RLIMIT_[A-Z]+$"}, hard=NUMBER,
                                        soft=NUMBER))),
    root=thing(path=STRING, readonly=FLAG),
    hostname=STRING,
    mounts=list_of(thing(destination=PLACE, type=STRING, source=STRING, options=list_of(STRING))),
    linux=thing(namespaces=list_of(thing({"path": PLACE}, type=one_of("pid", "network", "mount", "ipc", "uts", "user",
                                                                      "cgroup"))),
                resources=thing({"memory": thing(limit=NUMBER, swap=NUMBER), "pids": thing(limit=NUMBER)},
                                devices=list_of(thing(allow=FLAG, access={"type": "string", "pattern": "^[rwm]+$"}))),
                seccomp=SECCOMP, maskedPaths=list_of(PLACE), readonlyPaths=list_of(PLACE)))

DOCKER = thing(
    Image=STRING, User={"type": "string", "pattern": "^[0-9]+:[0-9]+$"}, Cmd=list_of(STRING, 1), Env=list_of(STRING),
    WorkingDir=PLACE, NetworkDisabled=FLAG,
    HostConfig=thing(
        {"Memory": NUMBER, "MemorySwap": NUMBER, "PidsLimit": NUMBER, "ShmSize": NUMBER},
        Mounts=list_of({"oneOf": [
            thing(Type={"const": "bind"}, Source=PLACE, Target=PLACE, ReadOnly=FLAG, BindOptions=thing(
                {"ReadOnlyForceRecursive": FLAG, "NonRecursive": FLAG, "CreateMountpoint": FLAG},
                Propagation=one_of("private", "rprivate", "shared", "rshared", "slave", "rslave"))),
            thing(Type={"const": "tmpfs"}, Target=PLACE, ReadOnly=FLAG, TmpfsOptions=thing({"SizeBytes": NUMBER},
                                                                                           Mode=NUMBER))]}),
        NetworkMode=one_of("none", "default"), IpcMode={"const": "private"}, CgroupnsMode={"const": "private"},
        Privileged=NO, ReadonlyRootfs={"const": True}, CapDrop={"const": ["ALL"]}, SecurityOpt=list_of(STRING, 2),
        Ulimits=list_of(thing(Name={"type": "string", "pattern": "^[a-z]+$"}, Soft=NUMBER, Hard=NUMBER)),
        MaskedPaths=list_of(PLACE), ReadonlyPaths=list_of(PLACE)))

METADATA = thing(name=LABEL, labels=thing(cordon=LABEL))
POLICY = thing(
    apiVersion={"const": "networking.k8s.io/v1"}, kind={"const": "NetworkPolicy"}, metadata=METADATA,
    spec=thing(podSelector=thing(matchLabels=thing(cordon=LABEL)), policyTypes={"const": ["Ingress", "Egress"]},
               ingress=list_of(thing()), egress=list_of(thing())))
POD = thing(
    apiVersion={"const": "v1"}, kind={"const": "Pod"}, metadata=METADATA,
    spec=thing(
        {"activeDeadlineSeconds": NUMBER}, restartPolicy={"const": "Never"}, automountServiceAccountToken=NO,
        enableServiceLinks=NO, hostNetwork=NO, hostPID=NO, hostIPC=NO, shareProcessNamespace=NO,
        securityContext=thing(runAsNonRoot=FLAG, runAsUser=NUMBER, runAsGroup=NUMBER,
                              seccompProfile=thing(type={"const": "RuntimeDefault"})),
        containers=list_of(thing(
            {"resources": thing(limits=thing(memory=QUANTITY))}, name=LABEL, image=STRING, command=list_of(STRING, 1),
            workingDir=PLACE,
            securityContext=thing(privileged=NO, allowPrivilegeEscalation=NO, readOnlyRootFilesystem={"const": True},
                                  capabilities=thing(drop={"const": ["ALL"]})),
            volumeMounts=list_of(thing({"recursiveReadOnly": {"const": "Enabled"}}, name=LABEL,
                                       mountPath={"type": "string", "pattern": "^/[^:]*$"}, readOnly=FLAG))), 1),
        volumes=list_of({"oneOf": [
            thing(name=LABEL, configMap=thing(name=LABEL, items=list_of(
                thing(key={"const": "empty"}, path={"type": "string", "pattern": r"^[^/.][^:]*$|^\.[^.][^:]*$"}), 1))),
            thing(name=LABEL, emptyDir=thing({"sizeLimit": QUANTITY}, medium={"const": "Memory"})),
            thing(name=LABEL, hostPath=thing(path=PLACE, type=one_of("Directory", "File", "Socket", "CharDevice")))]})))
POINTS = thing(apiVersion={"const": "v1"}, kind={"const": "ConfigMap"}, metadata=METADATA, immutable={"const": True},
               data=thing(empty={"const": ""}))
KUBERNETES = thing(apiVersion={"const": "v1"}, kind={"const": "List"}, items={"type": "array", "oneOf": [
    {"prefixItems": all, "minItems": len(all), "maxItems": len(all)} for all in ([POLICY, POD], [POLICY, POINTS, POD])]})

FORMS = {"oci": OCI, "docker": DOCKER, "kubernetes": KUBERNETES}


def checked(schema, value):
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:160]}"
            for e in jsonschema.Draft202012Validator(schema).iter_errors(value)]


def problems(form, value):
    """What is wrong with a document of that form, beyond its schema too."""
    import json
    wrong = checked(FORMS[form], value)
    if wrong:
        return wrong
    if form == "docker":
        option = value["HostConfig"]["SecurityOpt"][1]
        wrong += checked(SECCOMP, json.loads(option.removeprefix("seccomp=")))
        targets = [mount["Target"] for mount in value["HostConfig"]["Mounts"]]
    elif form == "oci":
        targets = [mount["destination"] for mount in value["mounts"]]
    else:
        spec = value["items"][-1]["spec"]
        mounts = spec["containers"][0]["volumeMounts"]
        targets, volumes = [mount["mountPath"] for mount in mounts], [volume["name"] for volume in spec["volumes"]]
        if len(set(volumes)) != len(volumes) or not {mount["name"] for mount in mounts} <= set(volumes):
            wrong.append("volumes that are there twice or not at all")
    if len(set(targets)) != len(targets):
        wrong.append("two mounts on one place")
    for mount in value["mounts"] if form == "oci" else ():
        if mount["type"] == "bind" and not {"rro", "rw"} & set(mount["options"]):
            wrong.append(f"neither read-only nor writable: {mount['destination']}")
    return wrong
