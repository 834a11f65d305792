/* SPDX-License-Identifier: MIT */
#ifndef HEDDLE_BASE_VERSION_H
#define HEDDLE_BASE_VERSION_H

#define HEDDLE_VERSION "0.1.0"

#endif
